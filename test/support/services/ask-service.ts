import type { ServiceName } from './service.ts';

/** Where the workers of a run of Jest ask for services. */
export const ADDRESS_VARIABLE = 'TOOLWRIGHT_TEST_SERVICES';

interface Answer {
  readonly address?: string;
  readonly error?: string;
}

/** The address of a service, which is started if this is the first to ask for it. */
export async function askService(name: ServiceName): Promise<string> {
  const response = await fetch(`${process.env[ADDRESS_VARIABLE] ?? ''}/${name}`);
  const { address, error } = (await response.json()) as Answer;
  if (address === undefined) throw new Error(error);
  return address;
}
