/** An answer that is not what was asked for. Nothing of `text` reaches the log but a code in it. */
export class BadAnswer extends Error {
  readonly status: number;
  readonly text: string;

  constructor(status: number, text = '') {
    super(`HTTP ${status}`);
    this.status = status;
    this.text = text;
  }
}
