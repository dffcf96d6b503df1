import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { Conversion } from '../../rewrite/conversion.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { Reading } from '../reading.ts';

/** The interfaces of a card: those of protocol 1.0, or what 0.3 says instead. */
export function readInterfaces(reading: Reading): readonly PlainObject[] {
  const version = reading.text('protocolVersion') ?? '0.3';
  const url = reading.text('url');
  const protocolBinding = reading.text('preferredTransport') ?? 'JSONRPC';
  const additional = reading.objects('additionalInterfaces') ?? [];
  const current = reading.objects('supportedInterfaces');
  if (current !== undefined && current.length > 0) {
    return checkInterfaces(reading.conversion, current, reading.pointTo('supportedInterfaces'));
  }
  const first = url === undefined ? [] : [{ url, protocolBinding, protocolVersion: version }];
  const next = additional.map(({ url: other, transport }) => ({
    url: other,
    protocolBinding: transport,
    protocolVersion: version,
  }));
  // The list may name the preferred interface once more
  const others = next.filter((each) => each.url !== url || each.protocolBinding !== protocolBinding);
  return checkInterfaces(reading.conversion, [...first, ...others], reading.pointTo('additionalInterfaces'));
}

/** Interfaces with their url, binding and version. */
export function checkInterfaces(
  conversion: Conversion,
  interfaces: readonly unknown[],
  path: string,
): readonly PlainObject[] {
  return interfaces.map((each, position) => {
    if (!isPlainObject(each) || typeof each.url !== 'string' || typeof each.protocolBinding !== 'string') {
      const place = pointTo(path, position);
      return conversion.fail(
        'INVALID_INPUT',
        place,
        `${place} is no interface with url and protocolBinding.`,
      );
    }
    const { url, protocolBinding, tenant, protocolVersion = '1.0', ...others } = each;
    return {
      url,
      protocolBinding,
      ...(tenant !== undefined && tenant !== '' && { tenant }),
      protocolVersion,
      ...others,
    };
  });
}
