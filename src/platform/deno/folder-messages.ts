import { formatInstant } from '../../core/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { logError } from '../../ports/log.ts';
import type { Messages } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import { chooseMessages } from '../../providers/messages/choose-messages.ts';
import { textOf } from '../../providers/messages/words.ts';

/** The part of Deno that this adapter uses. */
declare const Deno: {
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<void>;
  writeTextFile(path: string, text: string, options: { createNew: boolean; mode: number }): Promise<void>;
};

/** The files hold one-time codes, so only the service's user may read them. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Messages on Deno: in the folder of the configuration if it names one, else as on the other runtime. */
export const denoMessages: typeof chooseMessages = (config, directory, platform) =>
  config.messageFolder === undefined
    ? chooseMessages(config, directory, platform)
    : { messages: folderMessages(config.messageFolder, config.baseUrl, platform), inbox: undefined };

/**
 * Writes each message to a file instead of sending it, for a machine without an SMS and a mail account. Their names begin
 * with the time, so the newest message is the last file.
 */
function folderMessages(
  folder: string,
  baseUrl: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Messages {
  return {
    provider: 'folder',
    isDown: () => false,
    async send(message) {
      const { channel, recipient, purpose } = message;
      const name = `${formatInstant(clock.now()).replaceAll(':', '-')}-${channel}-${random.uuid()}.txt`;
      try {
        await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
        const text = `To: ${recipient}\nPurpose: ${purpose}\n\n${textOf(message, baseUrl)}\n`;
        await Deno.writeTextFile(`${folder}/${name}`, text, { createNew: true, mode: FILE_MODE });
        return true;
      } catch (error) {
        // The error names the path only, never the recipient or the text.
        logError({ error: `A message was not written: ${error instanceof Error ? error.message : String(error)}` });
        return false;
      }
    },
  };
}
