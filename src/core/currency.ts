/**
 * The number of fraction digits of this ISO 4217 currency: 2 for SAR, 3 for KWD, 0 for JPY.
 * Undefined if the text is not an active upper-case code with a minor unit.
 */
export function minorUnits(code: string): number | undefined {
  return minorUnitsByCode.get(code);
}

/**
 * List one of ISO 4217 as its maintenance agency, SIX, published it on 2026-09-17 (list-one.xml, CcyMnrUnts). The 13
 * codes without a minor unit (metals, bond units, XDR, XSU, XUA, XTS, XXX) are left out; units of account with one, such
 * as CLF, are included. The list is in the code because the list of `Intl` differs between runtimes.
 */
const codesByMinorUnits: ReadonlyArray<readonly [units: number, codes: string]> = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
    CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
    MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
    YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const minorUnitsByCode: ReadonlyMap<string, number> = new Map(
  codesByMinorUnits.flatMap(([units, codes]) => codes.split(/\s+/).map((code): [string, number] => [code, units])),
);
