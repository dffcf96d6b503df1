import 'toolwright';

process.send?.({ url: 'about:blank' });
