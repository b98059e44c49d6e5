mkdir SearchScreen
cd SearchScreen
mkdir -p Sources/SearchScreen
