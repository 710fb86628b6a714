// Everything that the page does.
import "./article.js";
import "./contents.js";
import "./folded.js";
import "./explorer.js";
