import { describe, expect, test } from 'vitest';
import { code, files, sources } from './support/source-files.ts';

/* The rules of docs/architecture.md for fields of pages. Each failure names the file. */

describe('what people type', () => {
  const pages = files.filter((file) =>
    /^src\/(?:console|driver)\/|^src\/pages\/reference\/(?:browser|trial|search)\./.test(file),
  );

  test('is typed into fields that read it', () => {
    const inputs = pages.flatMap((file) =>
      [...code(file).matchAll(/<(?:input|textarea)\b[^>]*/g)]
        .filter(([tag]) => !/type="(?:checkbox|file|radio|range)"/.test(tag))
        .map(() => file),
    );
    expect([...new Set(inputs)]).toEqual(['src/console/kit/field.tsx']);
  });

  test('is read by the readers of src/core/typed alone', () => {
    // Cutting edges, taking digits of other scripts, knowing a telephone, or choosing the keyboard of a value.
    const own = /\.trim(?:Start|End)?\(|\\u0660|٠-٩|5(?:\[0-9\]|\\d)\{8\}|import \{[^}]*SAUDI_MOBILE|\binputMode=/;
    const wrong = pages.filter(
      (file) => own.test(code(file)) && !/^src\/console\/kit\/(?:field|number-readers|readers)\.tsx?$/.test(file),
    );
    expect(wrong).toEqual([]);
  });

  test('reaches every reader in the tests that run over the cast of real values', () => {
    const tests = sources.get('test/unit/core/typed.test.ts') ?? '';
    const readers = files
      .filter((file) => file.startsWith('src/core/typed/'))
      .flatMap((file) => [...code(file).matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name));
    expect(readers.filter((name) => !new RegExp(`\\b${name}\\(|\\b${name}\\)`).test(tests))).toEqual([]);
    expect(tests).toContain("from '../../support/cast.ts'");
  });
});
