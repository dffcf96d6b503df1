/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';
import SWC_OPTIONS from './test/runner/swc-options.json' with { type: 'json' };

/** Suites that replace modules or count what is loaded: Jest gives each a context with modules of its own. */
const ISOLATED = '\\.isolated\\.test\\.ts$';

const COMMON = {
  testRunner: '<rootDir>/test/runner/measured-circus.mjs',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/services/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.ts',
  moduleNameMapper: {
    '^toolwright$': '<rootDir>/src/index.ts',
    '^toolwright/vite$': '<rootDir>/src/loader/vite.ts',
    '^toolwright/(redis|postgres)$': '<rootDir>/src/backplane/$1/index.ts',
    '^toolwright/opentelemetry$': '<rootDir>/src/telemetry/index.ts',
    '^toolwright/(.*)$': '<rootDir>/src/$1/index.ts',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', SWC_OPTIONS] },
} satisfies Config;

const config: Config = {
  // Suites that drive browsers, servers and commands mostly wait for them, so there are more workers than processors.
  maxWorkers: Math.max(4, availableParallelism()),
  // Modules of finished suites are never freed, so workers are replaced before they hold too many.
  workerIdleMemoryLimit: '1GB',
  // No test is about time; this only ends one that hangs, also where the first that asks installs a browser.
  testTimeout: 300_000,
  reporters: ['default', '<rootDir>/test/runner/processor-reporter.mjs'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  projects: [
    {
      ...COMMON,
      displayName: 'shared',
      testPathIgnorePatterns: ['/node_modules/', ISOLATED],
      testEnvironment: '<rootDir>/test/runner/shared-environment.mjs',
      runtime: '<rootDir>/test/runner/shared-runtime.mjs',
    },
    {
      ...COMMON,
      displayName: 'isolated',
      testRegex: ISOLATED,
      testEnvironment: 'node',
    },
  ],
};

export default config;
