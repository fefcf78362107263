// Package training makes the model of package soft404 out of generated pages.
//
// A third of the pages say that nothing is there; titles, sentences, hints,
// navigation and what other pages say are put together at random from phrases in
// 14 languages, of which English has the most. Among the ordinary pages are short
// and empty ones, those with a number 404, articles that quote error pages, and long
// ones of made-up words and the words of error pages in any order, by which a model
// learns that a page it knows little of is an ordinary one.
//
// Measured at a score of 0.5 and above, by TestHeldOutPages of package soft404:
// precision 0.97 and recall 0.825 on 40 error pages and 40 others that were written
// down as servers, content management systems and sites show them, apart from the
// phrases here. What is missed says "expired" or that there is "no text", or is in
// a language that was not learned.
package training
