import type { ApplicationContainer } from '../../container/application-container.ts';
import { observeStore } from '../../kernel/call/telemetry.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { readinessMembers } from '../../scanner/members/scan-readiness.ts';
import { isClass } from '../../shared/class-type.ts';
import { currentHost } from '../host.ts';
import type { ApplicationSettings } from '../application-settings.ts';
import type { BackplanePorts } from '../backplane.ts';
import { Operations } from './operations.ts';
import type { RequiredStore } from './operations-options.ts';
import { ReadinessChecks, type ReadinessCheck } from './readiness-checks.ts';

interface OperatedApplication {
  readonly settings: ApplicationSettings;
  readonly ports: BackplanePorts;
  readonly scanned: ScannedApplication;
  readonly container: ApplicationContainer;
}

/** What operators see of an application. @throws ToolwrightError TW_APPLICATION_OPTION for a store that it does not have */
export function createOperations(application: OperatedApplication): Operations {
  const { operations = {}, logger, hidden } = application.settings;
  // What only compiles has opened no store
  const isLazy = currentHost()?.compilesOnly === true;
  const checks = isLazy ? [] : [...methodChecks(application), ...storeChecks(application)];
  return new Operations(
    operations,
    new ReadinessChecks(checks, { ...operations.readiness, logger, hidden }),
    logger,
  );
}

/** The checks of all singletons, also of those that a factory made. */
function methodChecks({ scanned, container }: OperatedApplication): readonly ReadinessCheck[] {
  const singletons = scanned.providers.filter(({ scope, isPerCall }) => scope === 'singleton' && !isPerCall);
  const instances = new Set(singletons.map(({ key }) => container.get(key)));
  return [...instances].flatMap((instance) =>
    classOf(instance)
      .flatMap(readinessMembers)
      .map(({ member, where, timeout }) => ({
        name: where,
        timeout,
        run: (signal: AbortSignal) =>
          (instance as Record<typeof member, (signal: AbortSignal) => unknown>)[member]?.(signal),
      })),
  );
}

function classOf(instance: unknown) {
  if (typeof instance !== 'object' || instance === null) return [];
  const type: unknown = (Object.getPrototypeOf(instance) as { readonly constructor?: unknown } | null)
    ?.constructor;
  return isClass(type) ? [type] : [];
}

/** What no store keeps anything under. */
const NOBODY = 'toolwright-readiness';

function storeChecks({ settings, ports }: OperatedApplication): readonly ReadinessCheck[] {
  const required = settings.operations?.readiness?.require ?? [];
  if (required.length === 0) return [];
  const { tasks, store } = ports;
  const readOf = (name: RequiredStore): (() => unknown) | undefined => {
    if (name === 'tasks') return tasks && (() => tasks.get(NOBODY));
    const observed = store && observeStore(store, name, settings.telemetry);
    return observed && (() => observed.get(name, NOBODY));
  };
  return [...new Set(required)].map((name) => {
    const read = readOf(name);
    if (read === undefined) throw hasNoStore(name);
    return {
      name: `store ${name}`,
      run: async () => {
        await read();
      },
    };
  });
}

function hasNoStore(name: RequiredStore): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option operations.readiness.require',
    what: `names "${name}", but each instance keeps those in its memory.`,
    why: 'a store that is part of the process cannot be down without it.',
    fix: `remove "${name}", or give the application a backplane`,
  });
}
