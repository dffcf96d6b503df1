export const versionErrors = {
  INVALID_VERSION: 'A text is no semantic version.',
  INVALID_CONSTRAINT: 'A text is no range of versions.',
  INVALID_MATRIX: 'An entry of a compatibility matrix has no component, or a member that does not exist.',
  NO_COMPATIBLE_VERSION: 'None of the available versions passes the compatibility matrix.',
} as const;
