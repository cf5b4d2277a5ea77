// Markup in templates. Whatever stands in ${...} becomes text, never markup.
import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
