"""Tests of `quintet.rescoring`."""
