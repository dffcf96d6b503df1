import { IsString } from 'class-validator';
import {
  Complete,
  embeddedResource,
  Field,
  image,
  Injectable,
  Prompt,
  ToolContext,
  userMessage,
} from 'toolwright';
import { PIXEL } from './media.ts';

class Arguments {
  @IsString() @Field('The first argument') arg1!: string;
  @IsString() @Field('The second argument') arg2!: string;
}

class ResourceArgument {
  @IsString() @Field('The resource to embed') resourceUri!: string;
}

class Context {
  @IsString() context!: string;
}

@Injectable()
export class Prompts {
  @Prompt({ name: 'test_simple_prompt', description: 'Has no arguments' })
  simple() {
    return 'This is a simple prompt for testing.';
  }

  @Prompt({ name: 'test_prompt_with_arguments', description: 'Has two arguments' })
  withArguments({ arg1, arg2 }: Arguments) {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @Complete('withArguments', 'arg1')
  completeFirst(value: string) {
    return ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
  }

  @Prompt({ name: 'test_prompt_with_embedded_resource', description: 'Shows a resource' })
  withResource({ resourceUri }: ResourceArgument) {
    return userMessage([
      embeddedResource({
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      }),
      'Please process the embedded resource above.',
    ]);
  }

  @Prompt({ name: 'test_prompt_with_image', description: 'Shows a picture' })
  withImage() {
    return userMessage([image(PIXEL, 'image/png'), 'Please analyze the image above.']);
  }

  @Prompt({ name: 'test_input_required_result_prompt', description: 'Asks the user for its context' })
  async asking(ctx: ToolContext) {
    const answer = await ctx.ask(Context, 'What context should the prompt use?', { name: 'user_context' });
    return answer.action === 'accept' ? `Use this context: ${answer.content.context}` : 'Use no context';
  }
}
