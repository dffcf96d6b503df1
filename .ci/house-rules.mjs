// What the linter cannot say by its own rules.
import { plainWords } from './plain-words.mjs';

const namedExports = {
  create: (context) => ({
    ExportDefaultDeclaration(node) {
      context.report({ node, message: 'Named exports only.' });
    },
    ExportAllDeclaration(node) {
      context.report({ node, message: 'Exports are written out one by one.' });
    },
  }),
};

const noJestTimeout = {
  create: (context) => ({
    MemberExpression(node) {
      const { object, property } = node;
      if (object.name !== 'jest' || property.name !== 'setTimeout') return;
      const message = 'No test is about time: the limit of jest.config.ts only ends one that hangs.';
      context.report({ node, message });
    },
  }),
};

export default {
  meta: { name: 'house' },
  rules: { 'plain-words': plainWords, 'named-exports': namedExports, 'no-jest-timeout': noJestTimeout },
};
