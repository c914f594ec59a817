// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let indexMarkup = PageFile(name: "index.html", text: ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>varve view</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page/page.css">
<body>
<script type="module" src="page/main.js"></script>
</html>
"""##)
}
