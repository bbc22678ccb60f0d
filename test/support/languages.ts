import { spawnSync } from 'node:child_process';

/** Languages of the programs that merchants copy, each with a command that shows whether it is installed. */
const PROBES = {
  TypeScript: [process.execPath, '--version'],
  Python: ['python3', '--version'],
  PHP: ['php', '--version'],
  Go: ['go', 'version'],
  'C#': ['dotnet', '--version'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type Language = keyof typeof PROBES;

const isThere = new Map<Language, boolean>();

/** Whether a language is on this machine. */
export function hasLanguage(language: Language): boolean {
  const [program, argument] = PROBES[language];
  const known = isThere.get(language) ?? spawnSync(program, [argument], { timeout: 20_000 }).status === 0;
  isThere.set(language, known);
  return known;
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
