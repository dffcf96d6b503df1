import { openTarget, type Target, type TargetOptions } from '../target/target.ts';
import { surfaceOfApplication, surfaceOfClient } from './read-surface.ts';
import type { Surface } from './surface.ts';

/** Everything that a target offers; opened and closed for it. */
export async function surfaceOfTarget(
  reference: string | undefined,
  options: TargetOptions,
): Promise<Surface> {
  const target = await openTarget(reference, options);
  try {
    return await readSurfaceOfTarget(target, options);
  } finally {
    await target.close();
  }
}

/** What an opened target offers. */
export async function readSurfaceOfTarget(target: Target, { era }: TargetOptions): Promise<Surface> {
  const { application } = target;
  // A client of one era sees what that era lists; an application knows more of its actions
  if (application !== undefined && era === undefined) return surfaceOfApplication(application);
  return surfaceOfClient(await target.connect());
}
