import { ApplicationError, ProblemList, type Problem } from '../../src/errors/problem-list.ts';
import { StderrLogger } from '../../src/call/stderr-logger.ts';
import { Notifier } from '../../src/call/notifier.ts';
import { Module } from '../../src/decorators/classes.ts';
import type { Provider } from '../../src/metadata/module-options.ts';
import { scanApplication, type ScannedApplication } from '../../src/scanner/scan-application.ts';
import type { ScanOptions } from '../../src/scanner/scan-options.ts';
import type { ScannedCallable } from '../../src/scanner/members/scanned-callable.ts';
import type { ScannedPrompt } from '../../src/scanner/prompts/scan-prompts.ts';
import type { ScannedProvider } from '../../src/scanner/providers/scanned-provider.ts';
import type { ScannedResource } from '../../src/scanner/resources/scan-resources.ts';
import type { ScannedAction, ScannedTool } from '../../src/scanner/actions/scan-tools.ts';
import type { Class } from '../../src/shared/class-type.ts';

class SilentNotifier extends Notifier {
  toolsChanged(): void {}
  promptsChanged(): void {}
  resourcesChanged(): void {}
  resourceUpdated(): void {}
}

/** Scans with options that matter to no test unless it gives them. */
export function scan(root: unknown, options: Partial<ScanOptions> = {}): ScannedApplication {
  const problems = new ProblemList();
  const settings = {
    name: 'test',
    middleware: [],
    overrides: [],
    logger: new StderrLogger(),
    notifier: new SilentNotifier(),
    ...options,
  };
  const scanned = scanApplication(root, settings, problems);
  problems.throwIfAny(settings.name);
  return scanned;
}

/** All problems of an application that has some. */
export function problemsOf(root: unknown, options: Partial<ScanOptions> = {}): readonly Problem[] {
  try {
    scan(root, options);
  } catch (error) {
    if (error instanceof ApplicationError) return error.problems;
    throw error;
  }
  throw new Error('The application has no problem.');
}

/** The only problem of an application, as `where what | why | fix` parts. */
export function problemOf(root: unknown, options: Partial<ScanOptions> = {}): Problem {
  const problems = problemsOf(root, options);
  if (problems.length !== 1) {
    throw new Error(
      `Expected one problem, found:\n${problems.map((p) => `${p.code} ${p.where} ${p.what}`).join('\n')}`,
    );
  }
  return problems[0]!;
}

export function toolOf(application: ScannedApplication, name: string): ScannedTool {
  return found(
    application.tools.find((tool) => tool.name === name),
    name,
  );
}

export function actionOf(application: ScannedApplication, key: string): ScannedAction {
  const actions = application.tools.flatMap((tool) => tool.actions);
  return found(
    actions.find((action) => action.key === key),
    key,
  );
}

export function providerOf(application: ScannedApplication, where: string): ScannedProvider {
  return found(
    application.providers.find((provider) => provider.where === where),
    where,
  );
}

export function promptOf(application: ScannedApplication, name: string): ScannedPrompt {
  return found(
    application.prompts.find((prompt) => prompt.name === name),
    name,
  );
}

export function resourceOf(application: ScannedApplication, name: string): ScannedResource {
  return found(
    application.resources.find((resource) => resource.name === name),
    name,
  );
}

/** The labels of middleware functions that carry one, and the kinds of the others. */
export function labelsOf({ middleware }: ScannedCallable): readonly string[] {
  return middleware.map((entry) =>
    entry.kind === 'function' ? (entry.run as unknown as { readonly label: string }).label : entry.kind,
  );
}

/** A root module. */
export function moduleWith(controllers: readonly Class[], providers: readonly Provider[] = []): Class {
  @Module({ controllers, providers })
  class Root {}
  return Root;
}

/** Applies decorators to a method as a compiler does that emits no types. */
export function decorate(
  target: object,
  member: string,
  decorators: readonly MethodDecorator[],
  parameters: Readonly<Record<number, ParameterDecorator>> = {},
): void {
  for (const [index, decorator] of Object.entries(parameters)) decorator(target, member, Number(index));
  const descriptor = Object.getOwnPropertyDescriptor(target, member)!;
  for (const decorator of [...decorators].reverse()) decorator(target, member, descriptor);
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`Nothing is called ${name}.`);
  return value;
}
