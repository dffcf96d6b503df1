/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/services/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.ts',
  // Module contexts of finished files are never freed, so workers are replaced before they hold too many.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // No test is about time; this only ends one that hangs, also where the first that asks installs a browser.
  testTimeout: 300_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  moduleNameMapper: {
    '^toolwright$': '<rootDir>/src/index.ts',
    '^toolwright/vite$': '<rootDir>/src/loader/vite.ts',
    '^toolwright/(redis|postgres)$': '<rootDir>/src/backplane/$1/index.ts',
    '^toolwright/opentelemetry$': '<rootDir>/src/telemetry/index.ts',
    '^toolwright/(.*)$': '<rootDir>/src/$1/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: true,
      },
    ],
  },
};

export default config;
