import { IsOptional, IsString } from 'class-validator';
import { Action, Field, ReadOnly, ToolGroup } from 'toolwright';

class Place {
  @IsString() @IsOptional() @Field({ description: 'Where to look', header: 'Region' }) region?: string;
}

@ToolGroup({ name: 'headers', prefix: 'test' })
export class HeaderTools {
  @Action({ name: 'x_mcp_header', description: 'Takes an argument that proxies see as a header' })
  @ReadOnly()
  look({ region = 'everywhere' }: Place) {
    return `Looked in ${region}`;
  }
}
