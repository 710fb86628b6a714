// Everything that the page does.
import "./article.js";
import "./explorer.js";
