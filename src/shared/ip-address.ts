/** An address of IPv4 as four numbers, of IPv6 as eight; undefined for a text that is neither. */
export function addressParts(text: string): readonly number[] | undefined {
  if (!text.includes(':')) return ipv4Parts(text);
  const [address = ''] = text.split('%', 1);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return ipv4Parts(mapped[1]);
  return ipv6Parts(address);
}

function ipv4Parts(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers : undefined;
}

/** RFC 4291, 2.2: at most one `::` stands for groups of zeros, and the last two groups may be an IPv4 address. */
function ipv6Parts(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map(groupsOf);
  const [head, tail] = groups;
  if (head === undefined || groups.includes(undefined)) return undefined;
  if (tail === undefined) return head.length === 8 ? head : undefined;
  const zeros = 8 - head.length - tail.length;
  return zeros < 1 ? undefined : [...head, ...Array.from({ length: zeros }, () => 0), ...tail];
}

function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':').flatMap((group) => {
    if (/^[\da-f]{1,4}$/i.test(group)) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = ipv4Parts(group) ?? [];
    if (a === undefined || b === undefined || c === undefined || d === undefined) return [NaN];
    return [a * 256 + b, c * 256 + d];
  });
  return groups.some(Number.isNaN) ? undefined : groups;
}

/** An address in the one form that it has here; undefined for any other text. */
export function normalAddress(text: string): string | undefined {
  const parts = addressParts(text);
  if (parts === undefined) return undefined;
  return parts.length === 4 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
}

/** Whose address it is, as far as a server can know: a customer has one address of IPv4, and of IPv6 a /64. */
export function networkOf(address: string): string {
  const parts = addressParts(address);
  if (parts?.length !== 8) return address;
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
