const MAX_ROUNDS = 3;

/** A text, and what servers and proxies make of it that decode it once or several times. */
export function decodings(text: string): readonly string[] {
  const found = [text];
  for (let last = text; found.length <= MAX_ROUNDS;) {
    const next = decodedOnce(last);
    if (next === last) break;
    found.push(next);
    last = next;
  }
  return found;
}

/** Each run of escapes alone: one that is malformed does not keep the others as they are. */
function decodedOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
