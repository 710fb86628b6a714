// Making elements of the page: HTML, SVG, and looking one up by its id.
export const $ = (id) => document.getElementById(id);
export const SVG = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
// Put nodes into a holder. What looks as before stays the same element, and so keeps a click that has begun on it: a press first ends
// the typing in a field, which draws the page anew. So nothing that is shown here may hold on to what it was made from.
export function renew(holder, nodes) {
  const values = (node) => [...node.querySelectorAll("input, select")].map((field) => field.value).join();
  nodes.forEach((node, k) => {
    const old = holder.children[k];
    if (!old) holder.append(node);
    else if (!old.isEqualNode(node) || values(old) !== values(node)) old.replaceWith(node);
  });
  for (const old of [...holder.children].slice(nodes.length)) old.remove();
}
// Of a field in which somebody ends to type: it keeps the focus where that did not go elsewhere
export const held = ({ target }) => (document.activeElement === target ? target.id : null);
