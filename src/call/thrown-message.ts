/** The message of anything thrown; never its stack, code or data. */
export function thrownMessage(thrown: unknown): string {
  if (thrown instanceof Error || hasMessage(thrown))
    return thrown.message === '' ? nameOf(thrown) : thrown.message;
  try {
    return String(thrown);
  } catch {
    return 'unknown error';
  }
}

function hasMessage(thrown: unknown): thrown is Error {
  return (
    typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string'
  );
}

function nameOf(thrown: Error): string {
  return typeof thrown.name === 'string' && thrown.name !== '' ? thrown.name : 'Error';
}
