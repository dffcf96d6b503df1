const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Gives the focus to what is nearest, when an update takes away what had it. */
export function keepFocus(): void {
  let path: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof HTMLElement ? [...upFrom(target)] : [];
  });
  // A person who clicks beside everything takes the focus away, and wants it so
  document.addEventListener('pointerdown', () => (path = []), { capture: true });
  new MutationObserver(() => {
    const [last, ...around] = path;
    if (last === undefined || (last.isConnected && !last.matches(':disabled'))) return;
    if (document.activeElement === document.body || document.activeElement === last)
      nearestOf(around)?.focus();
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

function* upFrom(element: HTMLElement): Generator<HTMLElement> {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) yield at;
}

function nearestOf(around: readonly HTMLElement[]): HTMLElement | undefined {
  for (const each of around) {
    const found = each.isConnected ? [...each.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
    const shown = found.find((element) => element.checkVisibility());
    if (shown !== undefined) return shown;
  }
  return undefined;
}
