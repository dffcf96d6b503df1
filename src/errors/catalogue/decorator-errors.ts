export const decoratorErrors = {
  TW_DECORATOR_DIALECT: 'A decorator was called the standard way; the framework needs the legacy dialect.',
  TW_DECORATOR_TARGET: 'A decorator was put on something it cannot describe.',
  TW_DECORATOR_ARGUMENTS: 'A decorator was given more arguments than it takes.',
} as const;
