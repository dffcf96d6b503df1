import { SharedServices } from './shared-services.ts';

declare global {
  var toolwrightTestServices: SharedServices | undefined;
}

/** Jest calls it once, before it starts workers. */
export default async function openServices({ rootDir }: { readonly rootDir: string }): Promise<void> {
  globalThis.toolwrightTestServices = new SharedServices(`${rootDir}/test/support/services/run-service.ts`);
  await globalThis.toolwrightTestServices.open();
}
