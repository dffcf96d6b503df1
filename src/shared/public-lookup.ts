import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Looks a name up, and refuses all of it where one address is not public: before any connection, which goes to what was looked at. */
export const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses: readonly LookupAddress[] = found;
    if (error !== null) {
      done(error, '', 4);
      return;
    }
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      done(notPublic('the name does not stand for a public address'), '', 4);
      return;
    }
    if (options.all === true) done(null, [...addresses]);
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  });
};

/** Nothing was connected to. */
export function notPublic(what: string): Error {
  return Object.assign(new Error(what), { code: 'EHOSTUNREACH' });
}
