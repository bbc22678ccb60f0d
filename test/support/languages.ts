import { spawnSync } from 'node:child_process';

/** Languages of the programs that merchants copy, each with a command that succeeds where it is installed. */
const PROBES = {
  TypeScript: [process.execPath, '--version'],
  Python: ['python3', '-c', 'import hashlib, json, ssl, urllib.request'],
  PHP: ['php', '--version'],
  Go: ['go', 'version'],
  'C#': ['dotnet', '--version'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;
/** What a part needs besides its language. Distributions leave out extensions of PHP. */
const EXTENSIONS = { curl: ['php', '-r', 'exit((int) !extension_loaded("curl"));'] } as const;

export type Language = keyof typeof PROBES;

const missing = new Map<string, boolean>();

function isMissing(name: string, [program, ...parameters]: readonly [string, ...string[]]): boolean {
  const known = missing.get(name) ?? spawnSync(program, parameters, { timeout: 20_000 }).status !== 0;
  missing.set(name, known);
  return known;
}

/** What a program in this language needs and this machine does not have; undefined if nothing is missing. */
export function missingFor(language: Language, extension?: keyof typeof EXTENSIONS): string | undefined {
  if (isMissing(language, PROBES[language])) return `${language} is not installed`;
  if (extension === undefined || !isMissing(extension, EXTENSIONS[extension])) return undefined;
  return `${language} has no extension ${extension}`;
}

/**
 * A project for `dotnet run`, which compiles all C# files of its folder for the version of the SDK. The program is in a
 * module initializer, because a starter has its own top-level statements.
 */
export const CSHARP_PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <WarningLevel>0</WarningLevel>
  </PropertyGroup>
</Project>
`;
