/**
 * Packages with fonts, and the files of each that documents and pictures are drawn with: of HanaMin the Chinese characters that Noto Sans SC
 * lacks, and the Latin letters of captchas. The build puts them beside the program.
 */
export const fontPackages = {
  '@expo-google-fonts/noto-sans-sc':
    /^(400Regular\/NotoSansSC_400Regular\.ttf|700Bold\/NotoSansSC_700Bold\.ttf|LICENSE_FONT|package\.json)$/,
  hanamin:
    /^(HanaMin\.css|HanaMin[AB]\.(Basic-Latin|Kangxi|CJK-(?!Unified-Ideographs-\d))[\w.-]*\.woff2|LICENSE|package\.json)$/,
} as const satisfies Readonly<Record<string, RegExp>>

/** The name of a package with fonts. */
export type FontPackage = keyof typeof fontPackages

/** The folder beside the built program in which the fonts stand, each package in one of its own name. */
export const fontsFolder = 'fonts'
