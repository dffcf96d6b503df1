import { computed, signal } from '@preact/signals';
import { type Route, readRoute } from './links.ts';

const hash = signal(location.hash);

addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => readRoute(hash.value));

export function goTo(link: string): void {
  location.hash = link;
}

/** The address changed without an event. */
export function readAddress(): void {
  hash.value = location.hash;
}
