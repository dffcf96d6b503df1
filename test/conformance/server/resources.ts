import { IsString } from 'class-validator';
import { Injectable, Resource } from 'toolwright';
import { PIXEL } from './media.ts';

class DataVariables {
  @IsString() id!: string;
}

@Injectable()
export class Resources {
  @Resource('test://static-text', { description: 'A text', mimeType: 'text/plain' })
  staticText() {
    return 'This is the content of the static text resource.';
  }

  @Resource('test://static-binary', { description: 'A picture', mimeType: 'image/png' })
  staticBinary() {
    return Buffer.from(PIXEL, 'base64');
  }

  @Resource('test://watched-resource', { description: 'Clients may subscribe to it', mimeType: 'text/plain' })
  watched() {
    return 'This resource never changes.';
  }

  @Resource('test://template/{id}/data', { description: 'Data by its id', mimeType: 'application/json' })
  data({ id }: DataVariables) {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
