// Elements of the document, by name, and new ones, whose text is text and never HTML.

// Returns the element with the id.
export const at = (id) => document.getElementById(id);

// Returns a new element with a text.
export function make(tag, text = '', className = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}
