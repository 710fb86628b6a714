// Everything that the page does.
import "./article.js";
import "./contents.js";
import "./explorer.js";
