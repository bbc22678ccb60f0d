import type { MessageChannel, MessagePurpose, OneTimeCode } from '../../contract/message.ts';

/** A one-time code on its way to a person. */
export interface Message {
  readonly channel: MessageChannel;
  /** E.164 for SMS, an address for e-mail. */
  readonly recipient: string;
  readonly purpose: MessagePurpose;
  readonly code: string;
}

/** Carries one-time codes to people. */
export interface Messages {
  /** `none`: there is nobody to carry anything, and that is known before a code is made. */
  readonly provider: 'inbox' | 'none';
  /** Whether it was taken over. Never rejects. */
  send(message: Message): Promise<boolean>;
}

/** Messages that stay here instead of being carried: what a local deployment has. */
export interface Inbox extends Messages {
  /** The codes of one recipient, newest first; undefined when they cannot be read now. */
  read(recipient: string): Promise<OneTimeCode[] | undefined>;
}
