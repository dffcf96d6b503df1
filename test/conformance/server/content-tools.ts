import { Action, audio, content, embeddedResource, image, ReadOnly, ToolGroup } from 'toolwright';
import { CLICK, PIXEL } from './media.ts';

/** Every kind of content that a tool can answer with, and an error. */
@ToolGroup({ name: 'content', prefix: 'test' })
export class ContentTools {
  @Action({ name: 'simple_text', description: 'Answers with a text' })
  @ReadOnly()
  simpleText() {
    return 'This is a simple text response for testing.';
  }

  @Action({ name: 'image_content', description: 'Answers with a picture' })
  @ReadOnly()
  picture() {
    return content(image(PIXEL, 'image/png'));
  }

  @Action({ name: 'audio_content', description: 'Answers with a sound' })
  @ReadOnly()
  sound() {
    return content(audio(CLICK, 'audio/wav'));
  }

  @Action({ name: 'embedded_resource', description: 'Answers with a resource' })
  @ReadOnly()
  embedded() {
    return content(
      embeddedResource({
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      }),
    );
  }

  @Action({ name: 'multiple_content_types', description: 'Answers with a text, a picture and a resource' })
  @ReadOnly()
  mixed() {
    return content(
      'Multiple content types test:',
      image(PIXEL, 'image/png'),
      embeddedResource({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      }),
    );
  }

  @Action({ name: 'error_handling', description: 'Fails, always' })
  @ReadOnly()
  fail(): string {
    throw new Error('This tool intentionally returns an error for testing');
  }
}
