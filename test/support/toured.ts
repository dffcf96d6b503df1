import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ExplorerTab, useBrowser } from './explorer-tab.ts';
import { TouredExample } from './toured-example.ts';

interface Toured {
  readonly example: TouredExample;
  /** Of the test that runs. */
  readonly tab: ExplorerTab;
}

/** A server of an example for all tests of a file, and a tab for each; a test fails with what its tab complains of. */
export function tour(name: string): Toured {
  let example: TouredExample;
  const tabs = tourOf(async () => {
    example = await TouredExample.serve(name);
    return { explorer: example.explorer, stop: () => example.stop() };
  });
  return {
    get example() {
      return example;
    },
    get tab() {
      return tabs.tab;
    },
  };
}

interface Explored {
  readonly explorer: string;
  stop(): Promise<void>;
}

/** The same for any application. */
export function tourOf(serve: () => Promise<Explored>): {
  readonly tab: ExplorerTab;
  readonly browser: Browser;
} {
  const used = useBrowser();
  let explored: Explored | undefined;
  let tab: ExplorerTab;
  beforeAll(async () => {
    explored = await serve();
  });
  afterAll(async () => {
    await explored?.stop();
  });
  beforeEach(async () => {
    tab = await ExplorerTab.open(used.browser, explored?.explorer ?? '');
  });
  afterEach(async () => {
    await tab.close();
    expect(tab.complaints).toEqual([]);
  });
  return {
    get tab() {
      return tab;
    },
    get browser() {
      return used.browser;
    },
  };
}
