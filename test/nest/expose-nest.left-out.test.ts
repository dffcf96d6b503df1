import { afterEach, expect, test } from '@jest/globals';
import { ApiOperation } from '@nestjs/swagger';
import { exposeNest, type NestApplication } from 'toolwright/nest';
import { loadNest } from './shop.ts';

const { common: nest, core } = loadNest(11);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Untyped {
  readonly anything: string;
}

@nest.Controller('files')
class FilesController {
  @nest.Get() list(): string {
    return 'none';
  }
  @nest.Post('old') @ApiOperation({ deprecated: true }) old(@nest.Body() body: Untyped): unknown {
    return body;
  }
  @nest.Post('upload') upload(@nest.UploadedFile() _file: unknown, @nest.Body() body: Untyped): unknown {
    return body;
  }
}
class FilesModule {}
nest.Module({ controllers: [FilesController] })(FilesModule);

async function createFiles(): Promise<NestApplication> {
  const made: unknown = await core.NestFactory.create(
    FilesModule as never,
    { logger: false, abortOnError: false } as object,
  );
  const app = made as NestApplication & { close(): Promise<void> };
  ends.push(() => app.close());
  return app;
}

test.each(['files.old', 'files.upload'])(
  'naming %s does not offer it with an input that nothing describes',
  async (name) => {
    const app = await createFiles();
    await expect(exposeNest(app, { include: ['files.list', name], logger: () => undefined })).rejects.toThrow(
      /TW_OPERATIONS_UNOFFERABLE[^]*leaves nothing at run time/,
    );
  },
);
