import './global-setup.ts';

/** Jest calls it once, after the last test. */
export default async function closeServices(): Promise<void> {
  await globalThis.toolwrightTestServices?.close();
}
