import type { MessageChannel, MessagePurpose, Notice, OneTimeCode } from '../contract/message.ts';

/** A one-time code on its way to a person, or a word about what was asked for in his name. */
export interface Message {
  readonly channel: MessageChannel;
  /** E.164 for SMS, an address for e-mail. */
  readonly recipient: string;
  readonly purpose: MessagePurpose;
  /** Null where the purpose says all. */
  readonly code: string | null;
}

/** Carries messages to people. */
export interface Messages {
  /** `none`: there is nobody to carry anything, and that is known before a code is made. */
  readonly provider: 'carriers' | 'inbox' | 'none';
  /** Whether it was taken over. Never rejects. */
  send(message: Message): Promise<boolean>;
}

/** Messages that stay here instead of being carried: what a local deployment has. */
export interface Inbox extends Messages {
  /** The codes of one recipient, newest first; undefined when they cannot be read now. */
  read(recipient: string): Promise<OneTimeCode[] | undefined>;
  /** Messages without a code, newest first. */
  readNotices(recipient: string): Promise<Notice[] | undefined>;
}
