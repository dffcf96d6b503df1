/**
 * For whom a piece of content is meant, as it stands on the wire.
 *
 * @example
 * createAnnotations({ audience: [Role.USER] });
 */
export const Role = Object.freeze({ USER: 'user', ASSISTANT: 'assistant' } as const);

export type Role = (typeof Role)[keyof typeof Role];
