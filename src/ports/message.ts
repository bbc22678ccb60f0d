import type { MessageChannel, MessagePurpose, Notice, OneTimeCode } from '../contract/message.ts';

/** A message to a person: a one-time code, or a notice about a request in their name. */
export interface Message {
  readonly channel: MessageChannel;
  /** E.164 for SMS, an e-mail address for e-mail. */
  readonly recipient: string;
  readonly purpose: MessagePurpose;
  /** Null for a notice without a code. */
  readonly code: string | null;
  /** In an invitation and a recovery: the name of the company. Absent when an operator is invited. */
  readonly companyName?: string;
  /** About a delivery: the last four characters of its number, by which the recipient knows it. Never the whole number. */
  readonly shipmentEnd?: string;
  /** With a PIN: what the recipient pays at the door, with its currency. */
  readonly amount?: string;
  /** The address of the page that accepts an invitation or stops a recovery. */
  readonly url?: string;
  /** In a rejection: what an operator wrote. */
  readonly reason?: string;
}

/** Sends messages to people. */
export interface Messages {
  /** `none`: no message can be sent, so no code is created. */
  readonly provider: 'carriers' | 'inbox' | 'folder' | 'none';
  /** Whether the provider of a channel has failed so often that it is not asked at the moment. */
  isDown(channel: MessageChannel): boolean;
  /** Resolves to whether the provider accepted the message. Never rejects. */
  send(message: Message): Promise<boolean>;
}

/** Stores messages instead of sending them, on a local deployment. */
export interface Inbox extends Messages {
  /** The codes of one recipient, newest first; undefined if the database did not answer. */
  read(recipient: string): Promise<OneTimeCode[] | undefined>;
  /** Messages without a code, newest first. */
  readNotices(recipient: string): Promise<Notice[] | undefined>;
}
