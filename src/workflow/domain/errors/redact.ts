const SECRET_NAMES = new Set(['password', 'token', 'secret', 'key', 'authorization']);
const REDACTED = '[REDACTED]';

/** A copy of a JSON value without the values of members that are named like secrets, at any depth. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    SECRET_NAMES.has(name.toLowerCase()) ? REDACTED : redact(member),
  ]);
  return Object.fromEntries(entries) as unknown;
}
