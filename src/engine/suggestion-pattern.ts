// Apart from what reads them: pages check parameters by these patterns wherever parameters are shown.

/** One entry of a list of holidays: a day or a span, of one year or of every year. */
export const dayOffPattern = '(\\d{4}-)?\\d{2}-\\d{2}(~(\\d{4}-)?\\d{2}-\\d{2})?'

/** One entry of what a tenant says otherwise of suggestions: `signStartTime=-60` or `signStartTime=-60@08:30`. */
export const suggestionPattern = '\\w+=-?\\d{1,3}(@([01]\\d|2[0-3]):[0-5]\\d)?'
