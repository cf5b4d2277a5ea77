"""Where questions come from: files in HotpotQA's own format, and the splits that papers play."""
