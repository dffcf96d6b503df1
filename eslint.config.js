import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { plainWords } from './.ci/plain-words.mjs';

const metadataAccess = [
  'getMetadata',
  'getOwnMetadata',
  'hasMetadata',
  'hasOwnMetadata',
  'defineMetadata',
].map((property) => ({
  object: 'Reflect',
  property,
  message: 'Only src/metadata/ touches Reflect metadata; use its functions.',
}));

export default defineConfig(
  globalIgnores(['dist/', '.cache/', 'coverage/', '**/*.js', '**/*.cjs', '**/*.mjs']),
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
      complexity: ['error', 12],
      eqeqeq: 'error',
      'no-restricted-properties': ['error', ...metadataAccess],
      // Biome's counterpart deletes injection types; this one knows about decorator metadata.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Empty classes are modules, tokens and fixtures here.
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true, allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // An async function without await turns a throw into a rejection, which is often the point.
      '@typescript-eslint/require-await': 'off',
      // `T` used once ties a caller's annotation to an `unknown` store: `context.get<User>(key)`.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'],
    // It shows what the rule refuses
    ignores: ['test/pins/plain-words.test.ts'],
    plugins: { words: { rules: { plain: plainWords } } },
    rules: { 'words/plain': 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }],
      // On stdio, stdout is the protocol's.
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'Exports are written out one by one.' },
      ],
    },
  },
  {
    files: ['src/explorer/page/**/*.tsx'],
    rules: {
      // Properties of components are functions, and taken out of their object
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['src/metadata/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['test/**/*.ts', 'examples/**/*.ts'],
    rules: {
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', name: 'test', package: 'node:test' }] },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...metadataAccess,
        {
          object: 'jest',
          property: 'setTimeout',
          message: 'No test is about time: the limit of jest.config.ts only ends one that hangs.',
        },
      ],
    },
  },
);
