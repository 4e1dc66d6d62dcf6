package io.cellmesh.e2e.page;

import java.util.List;

/**
 * What can be told of a page's looks without a person: run in the browser, each names what it
 * finds.
 */
final class Looks {
  private Looks() {}

  /** Texts whose contrast to what lies behind them is below the 4.5 of WCAG AA. */
  static final String FAINT =
      """
      () => {
        const parts = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
        const over = (top, below) => {
          const a = top.length > 3 ? top[3] : 1;
          return [0, 1, 2].map(i => top[i] * a + below[i] * (1 - a));
        };
        const ground = element => {
          const layers = [];
          for (let e = element; e; e = e.parentElement) {
            layers.push(parts(getComputedStyle(e).backgroundColor));
          }
          return layers.reverse().reduce((below, layer) => layer.length < 3 ? below : over(layer, below), [255, 255, 255]);
        };
        const light = rgb => {
          const [r, g, b] = rgb.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
          return .2126 * r + .7152 * g + .0722 * b;
        };
        const found = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const element = node.parentElement;
          const text = node.data.trim();
          const box = element.getBoundingClientRect();
          if (!text || box.width < 2 || box.height < 2 || ['SCRIPT', 'STYLE', 'OPTION', 'TITLE'].includes(element.tagName)) {
            continue;
          }
          const below = ground(element);
          const lights = [light(over(parts(getComputedStyle(element).color), below)), light(below)];
          const ratio = (Math.max(...lights) + .05) / (Math.min(...lights) + .05);
          if (ratio < 4.5) {
            found.add(ratio.toFixed(2) + ' ' + element.className + ': ' + text.slice(0, 40));
          }
        }
        return [...found];
      }
      """;

  /** What sticks out of the window to the side. */
  static final String WIDE =
      """
      () => [...document.body.querySelectorAll('*')]
          .filter(e => !e.closest('.hidden, .skip, dialog') && e.getBoundingClientRect().right > innerWidth + 1)
          .map(e => e.tagName + '.' + e.getAttribute('class') + ': ' + e.textContent.slice(0, 40))
      """;

  /** Controls without a name, and landmarks and headings that are missing or out of order. */
  static final String UNNAMED =
      """
      () => {
        const found = [];
        for (const e of document.querySelectorAll('button, a, input, select, summary')) {
          const label = e.labels?.[0]?.textContent ?? '';
          const name = (e.getAttribute('aria-label') ?? '') + e.textContent + label;
          if (!name.trim()) {
            found.push('no name: ' + e.outerHTML.slice(0, 80));
          }
        }
        for (const landmark of ['header', 'nav', 'main', '[aria-live]']) {
          if (document.querySelectorAll(landmark).length !== 1) {
            found.push('not one ' + landmark);
          }
        }
        let level = 0;
        for (const e of document.querySelectorAll('main :is(h1, h2, h3)')) {
          const next = Number(e.tagName[1]);
          if (next > level + 1) {
            found.push('h' + next + ' below h' + level + ': ' + e.textContent);
          }
          level = next;
        }
        if (document.querySelectorAll('main h1').length !== 1) {
          found.push('not one h1');
        }
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => found.push('twice: ' + id));
        for (const e of document.querySelectorAll('[aria-labelledby]')) {
          if (!document.getElementById(e.getAttribute('aria-labelledby'))) {
            found.push('labelled by nothing: ' + e.getAttribute('aria-labelledby'));
          }
        }
        return found;
      }
      """;

  static final List<String> ALL = List.of(FAINT, WIDE, UNNAMED);
}
