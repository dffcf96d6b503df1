/** The oldest Node that is supported, those on either side of a change of its own TypeScript support, and the newest. */
export const NODE_VERSIONS = ['20.19.0', '22.18.0', '22.23.3', '24.21.0', '26.10.0'] as const;

export const BUN_VERSION = '1.4.5';
export const DENO_VERSION = '2.9.6';
export const WORKERD_VERSION = '1.20261117.1';
