// Builds and updates the page. Text is only ever text: nothing here takes HTML.

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'path', 'polyline', 'line', 'rect', 'title']);

/** Makes an element; attributes that are null or false are left out, children may be nested lists. */
export function h(tag, attributes, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  add(element, children);
  return element;
}

function add(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      add(parent, child);
    } else if (child instanceof Node) {
      parent.append(child);
    } else if (child !== null && child !== undefined && child !== false) {
      parent.append(document.createTextNode(String(child)));
    }
  }
}

/**
 * Makes the children of an element what is given, and keeps the elements that stay: what has the focus, is
 * selected or unfolded stays so. Listeners of elements that stay are theirs, so they must go by attributes.
 */
export function show(parent, ...children) {
  const wanted = document.createDocumentFragment();
  add(wanted, children);
  match(parent, wanted);
}

function match(parent, wanted) {
  const names = new Map();
  for (const next of wanted.children) {
    if (next.dataset.key) {
      names.set(next.dataset.key, next.nodeName);
    }
  }
  const keyed = new Map();
  for (const node of [...parent.children]) {
    const key = node.dataset.key;
    if (key && names.get(key) === node.nodeName) {
      keyed.set(key, node);
    } else if (key) {
      // What goes goes first: an element that is moved loses the focus.
      node.remove();
    }
  }
  let at = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = next.dataset?.key;
    const known = key ? keyed.get(key) : at;
    if (known && known.nodeName === next.nodeName && (key || !known.dataset?.key)) {
      if (known !== at) {
        parent.insertBefore(known, at);
      }
      become(known, next);
      at = known.nextSibling;
    } else {
      parent.insertBefore(next, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function become(known, next) {
  if (known.nodeType === Node.TEXT_NODE) {
    if (known.data !== next.data) {
      known.data = next.data;
    }
    return;
  }
  for (const { name } of [...known.attributes]) {
    // A person unfolds, and the keyboard moves the place in a grid.
    if (!next.hasAttribute(name) && name !== 'open') {
      known.removeAttribute(name);
    }
  }
  for (const { name, value } of next.attributes) {
    if (known.getAttribute(name) !== value && !(name === 'open' && known.nodeName === 'DETAILS')) {
      known.setAttribute(name, value);
    }
  }
  if (known.type === 'radio') {
    known.checked = next.checked;
  }
  match(known, next);
}
