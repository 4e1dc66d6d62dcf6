// Loads the page anew if one of its files did not come. A browser asks for none a second time, and gives up what it
// waits for when the machine's network changes, so the page would stay empty. No module: it must hear of each of them.
const PAUSE = 1000;
const PATIENCE = 8000;

function lacking(event) {
  // What a script throws has the window.
  if (event.target !== window) {
    removeEventListener('error', lacking, true);
    setTimeout(again, PAUSE);
  }
}

async function again() {
  try {
    await fetch('/ui', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    // Who loads anew while nobody answers has the browser's page and not this one.
    setTimeout(again, PAUSE);
    return;
  }
  location.reload();
}

addEventListener('error', lacking, true);
