/*
 * HarfBuzz, the shaper of browsers, as the package harfbuzzjs compiles it: it chooses and places the glyphs of a text. The
 * package's JavaScript makes further WebAssembly when it starts, which Workers forbid, so this file calls the functions itself.
 * See https://harfbuzz.github.io/ for them.
 */

/** A glyph, from left to right. Lengths are units of the font. */
export interface Glyph {
  readonly id: number;
  /** Where the characters that it stands for begin in the text (UTF-16). */
  readonly cluster: number;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** Text in one font, script and direction. Nothing is guessed from its characters. */
export interface Run {
  readonly text: string;
  /** A code of ISO 15924. */
  readonly script: string;
  readonly direction: 'ltr' | 'rtl';
}

export type ShapingFont = (run: Run) => Glyph[];

type Call = (...values: readonly number[]) => number;

const FUNCTIONS = [
  '__wasm_call_ctors',
  'malloc',
  'free',
  'hb_blob_create',
  'hb_face_create',
  'hb_font_create',
  'hb_buffer_create',
  'hb_buffer_reset',
  'hb_buffer_set_direction',
  'hb_buffer_set_script',
  'hb_buffer_set_cluster_level',
  'hb_buffer_add_utf16',
  'hb_buffer_get_length',
  'hb_buffer_get_glyph_infos',
  'hb_buffer_get_glyph_positions',
  'hb_shape',
] as const;

const DIRECTIONS = { ltr: 4, rtl: 5 } as const;
const MEMORY_MODE_WRITABLE = 2;
/** Each character keeps its own position, where the script does not reorder it. */
const CLUSTERS_OF_CHARACTERS = 1;
/** Of a glyph's information and of its position: both are five numbers of 32 bits. */
const RECORD_NUMBERS = 5;
const PAGE_BYTES = 65_536;

export class Shaper {
  readonly #memory: WebAssembly.Memory;
  readonly #call: Readonly<Record<(typeof FUNCTIONS)[number], Call>>;
  readonly #buffer: number;

  private constructor(memory: WebAssembly.Memory, exported: WebAssembly.Exports) {
    this.#memory = memory;
    this.#call = functionsOf(exported);
    this.#call.__wasm_call_ctors();
    this.#buffer = this.#call.hb_buffer_create();
  }

  static async start(module: WebAssembly.Module): Promise<Shaper> {
    const heap: { memory?: WebAssembly.Memory } = {};
    const resize = (bytes: number): number => {
      const missing = (bytes >>> 0) - (heap.memory?.buffer.byteLength ?? 0);
      try {
        heap.memory?.grow(Math.ceil(missing / PAGE_BYTES));
        return 1;
      } catch {
        return 0;
      }
    };
    const stop = () => {
      throw new Error('HarfBuzz has stopped');
    };
    const instance = await WebAssembly.instantiate(module, {
      env: {
        _abort_js: stop,
        _emscripten_runtime_keepalive_clear: () => undefined,
        _setitimer_js: () => 0,
        emscripten_resize_heap: resize,
      },
      wasi_snapshot_preview1: { proc_exit: stop },
    });
    const { memory } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('This is not HarfBuzz');
    heap.memory = memory;
    return new Shaper(memory, instance.exports);
  }

  /** Keeps a font (TrueType, uncompressed) for as long as the process lives. */
  addFont(bytes: Uint8Array): ShapingFont {
    const { malloc, hb_blob_create, hb_face_create, hb_font_create } = this.#call;
    const start = malloc(bytes.length);
    new Uint8Array(this.#memory.buffer).set(bytes, start);
    const blob = hb_blob_create(start, bytes.length, MEMORY_MODE_WRITABLE, 0, 0);
    const font = hb_font_create(hb_face_create(blob, 0));
    return (run) => this.#shape(font, run);
  }

  #shape(font: number, { text, script, direction }: Run): Glyph[] {
    const call = this.#call;
    const buffer = this.#buffer;
    const start = call.malloc(text.length * 2);
    const codes = new Uint16Array(this.#memory.buffer, start, text.length);
    for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at);
    call.hb_buffer_reset(buffer);
    call.hb_buffer_set_cluster_level(buffer, CLUSTERS_OF_CHARACTERS);
    call.hb_buffer_set_direction(buffer, DIRECTIONS[direction]);
    call.hb_buffer_set_script(buffer, tagOf(script));
    call.hb_buffer_add_utf16(buffer, start, text.length, 0, text.length);
    call.free(start);
    call.hb_shape(font, buffer, 0, 0);
    const length = call.hb_buffer_get_length(buffer);
    const infos = call.hb_buffer_get_glyph_infos(buffer, 0);
    const positions = call.hb_buffer_get_glyph_positions(buffer, 0);
    const information = new Uint32Array(this.#memory.buffer, infos, length * RECORD_NUMBERS);
    const position = new Int32Array(this.#memory.buffer, positions, length * RECORD_NUMBERS);
    return Array.from({ length }, (_, index) => {
      const at = index * RECORD_NUMBERS;
      return {
        id: information[at] ?? 0,
        cluster: information[at + 2] ?? 0,
        xAdvance: position[at] ?? 0,
        xOffset: position[at + 2] ?? 0,
        yOffset: position[at + 3] ?? 0,
      };
    });
  }
}

function functionsOf(exported: WebAssembly.Exports): Record<(typeof FUNCTIONS)[number], Call> {
  const callOf = (name: string): Call => {
    const value = exported[name];
    if (typeof value !== 'function') throw new Error(`HarfBuzz has no ${name}`);
    return (...values) => Number(Reflect.apply(value, undefined, values) ?? 0);
  };
  return Object.fromEntries(FUNCTIONS.map((name) => [name, callOf(name)])) as Record<(typeof FUNCTIONS)[number], Call>;
}

/** Four letters as a number. */
function tagOf(name: string): number {
  return Array.from(name).reduce((tag, letter) => ((tag << 8) | letter.charCodeAt(0)) >>> 0, 0);
}
