// Package soft404 tells pages that say that nothing is there, although their
// server answered with 200.
//
// The score is a probability of a logistic regression over what is in a page, each
// feature once:
//
//   - t:WORD, t:WORD WORD     words of the title and pairs of neighbours; ^ stands
//     in front of the first and $ behind the last one
//   - w:WORD, w:WORD WORD     words of the text and pairs of neighbours in a line
//   - l:WORD, l:WORD WORD     the first eight words of a line, which is a heading, a
//     list item or another block of the page
//   - n:K                     the text has at least 2^K, but less than 2^(K+1) words
//     (K is 0 to 10)
//
// A word is a run of letters and digits in lower case; a number but for 404 is
// "#"; characters of scripts without spaces are a word each. Of the text the first
// 1,000 words count. The score is
//
//	1 / (1 + exp(-(bias + Σ weight / √n)))
//
// over the n features of a page that the model knows. The model is soft404.tsv:
// a line for each feature and one for the bias, name and weight separated by a tab.
// scripts/train-soft404 makes it of generated pages: the same file from the same
// seed.
//
// A page that scores 0.5 (Threshold) or more is to be taken for one that says that
// nothing is there: precision 0.97 and recall 0.825 on the 80 pages of
// testdata/pages.txt (TestHeldOutPages); at 0.8 precision 1.00 and recall 0.725. Of 352
// different pages with status 200 in real archives (TestRealSoft404 of package derive),
// 4 score 0.5 or more and 2 of them 0.8 or more; one of these says so in its title,
// another one asks for what a browser lacks. Such pages are so rare in a crawl that half
// of those found may be none.
package soft404
